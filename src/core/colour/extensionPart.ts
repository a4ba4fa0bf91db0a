// `ExtensionPart`: what an extension's manifest contributes to colours, and the files that it names.

export interface ExtensionPart {
  /** Such as `vscode.theme-defaults`. */
  readonly id: string
  /** The member `contributes` of the manifest, unchecked. */
  readonly contributes: unknown
  /** The file at a path relative to the extension's folder. */
  file(path: string): SourceFile
}

/** A file of an extension. */
export interface SourceFile {
  /** For the kind of the file and for the log. */
  readonly path: string
  read(): Promise<string>
  /** The file at a path relative to the folder of this one. */
  beside(path: string): SourceFile
}
