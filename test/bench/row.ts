// One measured figure.
export interface Row {
  readonly what: string
  readonly value: number
  readonly unit: string
}
