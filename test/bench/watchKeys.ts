// `watchKeys`: run in a page, keeps in `keys` how many milliseconds each key takes to its paint, from then on.

export const watchKeys = `
  globalThis.keys = []
  // A message that is posted while a frame is made comes after its paint.
  globalThis.afterFrame ??= () => new Promise(done => {
    const channel = new MessageChannel()
    channel.port1.onmessage = () => done()
    channel.port2.postMessage('')
  })
  globalThis.afterPaint ??= () => new Promise(requestAnimationFrame).then(afterFrame)
  globalThis.onKey ??= document.addEventListener('keydown', async event => {
    await afterPaint()
    keys.push(performance.now() - event.timeStamp)
  }, true) ?? true
`
