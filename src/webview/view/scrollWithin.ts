// `scrollWithin`: shows an element by scrolling its box alone, because the browser's own way also scrolls the editor around the page, by some pixels for good.

/** `edge`: where the element goes; `nearest`: no further than is needed. The margin is that of its style. */
export function scrollWithin(box: HTMLElement, element: HTMLElement, edge: 'start' | 'end' | 'nearest'): void {
  const { scrollMarginTop, scrollMarginBottom } = getComputedStyle(element)
  const [view, place] = [box.getBoundingClientRect(), element.getBoundingClientRect()]
  const above = place.top - Number.parseFloat(scrollMarginTop) - (view.top + box.clientTop)
  const below = place.bottom + Number.parseFloat(scrollMarginBottom) - (view.top + box.clientTop + box.clientHeight)
  if (edge === 'start') box.scrollTop += above
  else if (edge === 'end') box.scrollTop += below
  else if (above < 0 !== below > 0) box.scrollTop += Math.abs(above) < Math.abs(below) ? above : below
}
