import { DiagnosticsError } from '../../diagnostics.ts'
import type { TableContents } from '../../nft/contents.ts'
import { readTableJson } from '../../nft/json/read.ts'
import { LAYOUTS, type Layout } from '../../nft/layouts/index.ts'
import { readListing } from '../../nft/listing.ts'
import type { TableName } from '../../nft/print.ts'
import type { Dump } from '../dumps/recognise.ts'

/** The table in a dump; undefined when it is not there. @throws DiagnosticsError with the file, when the dump is cut short or damaged */
export function readTable(dump: Dump, name: TableName): TableContents | undefined {
  if (dump.kind === 'nft') return readListing(dump.text, name, dump.file)
  try {
    return readTableJson(dump.text, name)
  } catch (error) {
    if (!(error instanceof DiagnosticsError)) throw error
    throw new DiagnosticsError(error.diagnostics.map(diagnostic => ({ ...diagnostic, place: { file: dump.file, ...diagnostic.place } })))
  }
}

/** The error for dumps without the layout's table, with the layouts whose table they have. */
export function noSuchTable(dumps: readonly Dump[], layout: Layout): DiagnosticsError {
  return new DiagnosticsError(
    dumps.map(dump => {
      const tables = tablesIn(dump)
      const others = Object.values(LAYOUTS).filter(({ table }) => table !== layout.table && tables.some(name => name.endsWith(` ${table}`)))
      const holds = tables.length === 0 ? 'It holds no table.' : `It holds table ${tables.slice(0, 10).join(', ')}.`
      const choice =
        others.length === 0
          ? `Dump the table: nft list table ip ${layout.table}.`
          : `Choose ${others.map(({ name }) => `--layout ${name}`).join(' or ')}.`
      return {
        severity: 'error',
        place: { file: dump.file },
        summary: `the dump has no table ${layout.table}, where layout ${layout.name} has its rules`,
        detail: `${holds} ${choice}`,
      }
    }),
  )
}

/** `ip kubenft` of every table in a dump. */
function tablesIn({ kind, text }: Dump): string[] {
  if (kind === 'nft') return [...text.matchAll(/^table (\S+ \S+) \{/gm)].map(match => match[1] as string)
  const { nftables } = JSON.parse(text) as { nftables: readonly { table?: { family: string; name: string } }[] }
  return nftables.flatMap(({ table }) => (table === undefined ? [] : [`${table.family} ${table.name}`]))
}
