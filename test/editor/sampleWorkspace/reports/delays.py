"""Says which routes were late last week, and by how much."""

from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime, timedelta
from statistics import mean, median


@dataclass(frozen=True)
class Delivery:
    route: str
    promised: datetime
    arrived: datetime

    @property
    def delay(self) -> timedelta:
        return max(self.arrived - self.promised, timedelta())


def minutes(delay: timedelta) -> float:
    return delay.total_seconds() / 60


def mean_delay(deliveries: list[Delivery]) -> float:
    """Minutes, on average; nothing delivered counts as nothing late."""
    if not deliveries:
        return 0.0
    return mean(minutes(delivery.delay) for delivery in deliveries)


def median_delay(deliveries: list[Delivery]) -> float:
    """Minutes, in the middle; one parcel lost for a week does not move it."""
    if not deliveries:
        return 0.0
    return median(minutes(delivery.delay) for delivery in deliveries)


def late_routes(deliveries: list[Delivery], patience_minutes: float = 30) -> dict[str, float]:
    """Routes whose parcels were late beyond patience, the worst first."""
    by_route: dict[str, list[Delivery]] = defaultdict(list)
    for delivery in deliveries:
        by_route[delivery.route].append(delivery)
    delays = {route: mean_delay(parcels) for route, parcels in by_route.items()}
    late = {route: delay for route, delay in delays.items() if delay > patience_minutes}
    return dict(sorted(late.items(), key=lambda item: item[1], reverse=True))


def report(deliveries: list[Delivery]) -> str:
    lines = ["Route      Late by (minutes)"]
    for route, delay in late_routes(deliveries).items():
        lines.append(f"{route:<10} {delay:>8.1f}")
    return "\n".join(lines)
