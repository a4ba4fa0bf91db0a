// `extensionParts`: the manifests of the installed extensions, and the files that they name.
import { extensions, Uri, workspace } from 'vscode'
import type { ExtensionPart, SourceFile } from '../../core/colour/extensionPart.ts'
import { objectOf } from '../../protocol/json.ts'

/** Only of the extensions that run on the same host as this one; the editor does not show the others. */
export function extensionParts(): readonly ExtensionPart[] {
  return extensions.all.map(({ id, packageJSON, extensionUri }) => ({
    id,
    contributes: objectOf(packageJSON)?.['contributes'],
    file: path => fileAt(Uri.joinPath(extensionUri, path)),
  }))
}

function fileAt(uri: Uri): SourceFile {
  return {
    path: uri.path,
    read: async () => new TextDecoder().decode(await workspace.fs.readFile(uri)),
    beside: path => fileAt(Uri.joinPath(uri, '..', path)),
  }
}
