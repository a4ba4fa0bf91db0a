// What a parcel costs, in cents.
import { surchargeOf } from './zones.mjs'

const BASE_CENTS = 399
const CENTS_PER_KILOGRAM = 120

/** Each kilogram that has begun is paid for. */
export function postage(weightGrams, zone) {
  const kilograms = Math.floor(weightGrams / 1000)
  return BASE_CENTS + kilograms * CENTS_PER_KILOGRAM + surchargeOf(zone)
}
