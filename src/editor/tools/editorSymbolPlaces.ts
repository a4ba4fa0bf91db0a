// `editorSymbolPlaces`: where symbols are, as the languages of the editor find them.
import {
  commands,
  type DocumentSymbol,
  type Location,
  type LocationLink,
  Position,
  type SymbolInformation,
  SymbolKind,
  Uri,
} from 'vscode'
import { until } from '../../base/abort.ts'
import type { Clock } from '../../base/clock.ts'
import type { NamedSymbol, OutlineSymbol, SymbolPlace, SymbolPlaces } from '../../core/tools/findSymbolTool.ts'

/** A language server that is still starting may answer much later. */
const LONGEST_MS = 10_000

export function editorSymbolPlaces(clock: Clock): SymbolPlaces {
  const asked = <T>(signal: AbortSignal, command: string, ...needs: readonly unknown[]) =>
    answered<T>(commands.executeCommand<T>(command, ...needs), clock, signal)
  const placesOf = async (signal: AbortSignal, command: string, { uri, line, character }: SymbolPlace) => {
    const at = new Position(line, character)
    const found = await asked<readonly (Location | LocationLink)[]>(signal, command, Uri.parse(uri, true), at)
    return found?.map(placeOf)
  }
  return {
    async outline(uri, signal) {
      type Symbols = readonly (DocumentSymbol | SymbolInformation)[]
      const found = await asked<Symbols>(signal, 'vscode.executeDocumentSymbolProvider', Uri.parse(uri, true))
      return found && outlineOf(found, 0)
    },
    async named(name, signal) {
      const command = 'vscode.executeWorkspaceSymbolProvider'
      const found = await asked<readonly SymbolInformation[]>(signal, command, name)
      return found?.map(namedOf)
    },
    definitions: (at, signal) => placesOf(signal, 'vscode.executeDefinitionProvider', at),
    references: (at, signal) => placesOf(signal, 'vscode.executeReferenceProvider', at),
  }
}

/** Undefined where nobody answers in time, or the language fails. */
function answered<T>(asked: Thenable<T | undefined>, clock: Clock, signal: AbortSignal): Promise<T | undefined> {
  return until(signal, done => {
    asked.then(done, () => done(undefined))
    return clock.later(LONGEST_MS, () => done(undefined))
  })
}

function placeOf(place: Location | LocationLink): SymbolPlace {
  // Not by its class, because an extension may return an object of its own.
  if ('targetUri' in place) {
    const { start } = place.targetSelectionRange ?? place.targetRange
    return { uri: place.targetUri.toString(), line: start.line, character: start.character }
  }
  const { start } = place.range
  return { uri: place.uri.toString(), line: start.line, character: start.character }
}

const kindOf = (kind: SymbolKind) => (SymbolKind[kind] ?? 'symbol').toLowerCase()

const namedOf = ({ name, kind, containerName, location }: SymbolInformation): NamedSymbol => ({
  ...placeOf(location),
  name,
  kind: kindOf(kind),
  ...(containerName && { container: containerName }),
})

/** Outer symbols before those inside of them. */
function outlineOf(symbols: readonly (DocumentSymbol | SymbolInformation)[], depth: number): OutlineSymbol[] {
  return symbols.flatMap(symbol => {
    const { name, kind } = symbol
    const { start, end } = 'children' in symbol ? symbol.range : symbol.location.range
    const own = { name, kind: kindOf(kind), line: start.line, lastLine: end.line, depth }
    return [own, ...('children' in symbol ? outlineOf(symbol.children, depth + 1) : [])]
  })
}
