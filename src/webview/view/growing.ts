// Draws a long list a few members per frame, so that no single frame takes long.
import { useEffect, useState } from 'preact/hooks'

/** How many of the members that were there at the beginning are still to be drawn. */
export function useGrowing(total: number, step: number): number {
  const [left, setLeft] = useState(Math.max(0, total - step))
  useEffect(() => {
    if (left === 0) return
    const frame = requestAnimationFrame(() => setLeft(Math.max(0, left - step)))
    return () => cancelAnimationFrame(frame)
  }, [left, step])
  return left
}
