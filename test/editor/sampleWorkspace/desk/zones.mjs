// How far away a place is, and what that adds to the price, in cents.
const surcharges = { near: 0, far: 250, overseas: 1200 }

export function surchargeOf(zone) {
  return surcharges[zone]
}
