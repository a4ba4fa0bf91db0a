// `inPage`: a function of a browser's page from its text, because the types of the DOM are not those of the tests.

/** `body` sees the element as `root`. Playwright sends the text of the function to the page. */
export function inPage<Result>(body: string): (root: unknown) => Result {
  // as: only the test knows what its function returns
  return new Function('root', body) as (root: unknown) => Result
}
