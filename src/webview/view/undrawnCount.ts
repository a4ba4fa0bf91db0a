// `useUndrawnCount`: how many members of a long list are not rendered yet; falls each frame, so that no frame takes long.
import { useEffect, useState } from 'preact/hooks'

/** How many of the initial members are not rendered yet. */
export function useUndrawnCount(total: number, step: number): number {
  const [left, setLeft] = useState(Math.max(0, total - step))
  useEffect(() => {
    if (left === 0) return
    const frame = requestAnimationFrame(() => setLeft(Math.max(0, left - step)))
    return () => cancelAnimationFrame(frame)
  }, [left, step])
  return left
}
