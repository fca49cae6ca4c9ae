import type { Family } from '../address.ts'
import type { TableContents } from '../nft/contents.ts'
import { readListing } from '../nft/listing.ts'
import { type Metadata, splitMetadata } from './metadata.ts'
import type { Failure } from './nft/failure.ts'
import type { Nft, Result } from './nft/nft.ts'

/** Our table as it is in the kernel. */
export interface LiveTable {
  /** What `nft list table` printed, which loads again. */
  readonly listing: string
  /** Without the metadata. */
  readonly contents: TableContents
  /** Undefined when it was not made by apply. */
  readonly metadata: Partial<Metadata> | undefined
}

/** A family without a table has none. */
export type Live = Readonly<Partial<Record<Family, LiveTable>>>

/** Reads our tables, and no other. The text form of the listing, because nft 1.0.6 leaves `typeof`, flags and comments out of its JSON, which takes it longer. */
export async function readLive(nft: Nft, table: string, families: readonly Family[]): Promise<Result<Live>> {
  const live: Partial<Record<Family, LiveTable>> = {}
  let failure: Failure | undefined
  await Promise.all(
    families.map(async family => {
      const listed = await nft.list({ family, table })
      if (!listed.ok) failure ??= listed.failure
      else if (listed.value !== undefined) {
        const found = readListing(listed.value, { family, table }, `nft list table, ${family}`)
        if (found === undefined) failure ??= { why: 'silent' }
        else live[family] = { listing: listed.value, ...splitMetadata(found) }
      }
    }),
  )
  return failure === undefined ? { ok: true, value: live } : { ok: false, failure }
}
