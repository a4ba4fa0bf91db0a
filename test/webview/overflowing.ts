// `overflowing`: what does not fit into its box or into the page.
import type { Page } from '@playwright/test'

/** What is wider than its box, or is outside of the page; a box that scrolls, or cuts its text with an ellipsis, may be narrower than its content. */
export function overflowing(page: Page): Promise<string[]> {
  return page.evaluate(`{
    const width = document.documentElement.clientWidth
    const scrolls = element => {
      const { overflowX, textOverflow } = getComputedStyle(element)
      return /auto|scroll/.test(overflowX) || textOverflow === 'ellipsis'
    }
    const isInScroller = element => element !== document.body && (scrolls(element) || isInScroller(element.parentElement))
    const isSeen = element => element.checkVisibility({ opacityProperty: true, visibilityProperty: true })
    const isCut = element => {
      const { overflowX, textOverflow } = getComputedStyle(element)
      return overflowX !== 'visible' && textOverflow !== 'ellipsis' && element.scrollWidth > element.clientWidth + 1
    }
    const found = [...document.querySelectorAll('#root *')]
      .filter(element => isSeen(element) && !isInScroller(element) && !element.matches('.unseen, .katex-mathml, .katex-mathml *, input'))
      .filter(element => element.getBoundingClientRect().right > width + 0.5 || isCut(element))
    found.map(element => element.outerHTML.slice(0, 200))
  }`)
}
