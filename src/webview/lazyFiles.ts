// `LazyFiles`: what the files that the page loads at their first use offer to it.

/** An element of a formula, as plain values. */
export interface FormulaNode {
  readonly tag: string
  readonly attributes: Readonly<Record<string, string>>
  readonly style: Readonly<Record<string, string>>
  readonly children: readonly (FormulaNode | string)[]
}

/** The colours as `#rrggbb`. */
export interface DiagramLook {
  readonly isDark: boolean
  readonly fontFamily: string
  readonly fontSizePx: number
  readonly colours: Readonly<Record<'background' | 'foreground' | 'box' | 'edge' | 'line' | 'note', string>>
}

export interface DiagramResult {
  readonly svg: string
  readonly width: number
  readonly height: number
}

export interface LazyFiles {
  /** Rejects if the source is faulty or the drawing too large. */
  diagram: (source: string, look: DiagramLook) => Promise<DiagramResult>
  /** Throws if the formula is faulty, too long or too large. */
  math: (tex: string, isDisplay: boolean) => FormulaNode
}

/** Where a file puts what it offers. */
export function offer<Name extends keyof LazyFiles>(name: Name, value: LazyFiles[Name]): void {
  Reflect.set(globalThis, keyOf(name), value)
}

/** Undefined until the file has been loaded. */
export function offered<Name extends keyof LazyFiles>(name: Name): LazyFiles[Name] | undefined {
  return Reflect.get(globalThis, keyOf(name))
}

const keyOf = (name: string) => `kourier.${name}`
