import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { Unreadable } from './unreadable.ts'

const inflate = promisify(gunzip)

/** How many bytes may still be read, over all inputs. */
export interface Budget {
  readonly total: number
  left: number
}

/** Reads a stream to its end, through gunzip when its first bytes say so; stops as soon as the budget is spent. */
export async function readBytes(stream: AsyncIterable<unknown>, budget: Budget): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of stream) {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : (chunk as Buffer)
    length += bytes.length
    if (length > budget.left) throw tooLarge(budget)
    chunks.push(bytes)
  }
  const raw = chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)
  const bytes = raw[0] === 0x1f && raw[1] === 0x8b ? await unzipped(raw, budget) : raw
  budget.left -= bytes.length
  return bytes
}

async function unzipped(raw: Buffer, budget: Budget): Promise<Buffer> {
  try {
    return await inflate(raw, { maxOutputLength: Math.max(1, budget.left) })
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(budget)
    throw new Unreadable(
      code === 'Z_BUF_ERROR' ? 'the gzip data ends too early' : `the gzip data is damaged: ${message}`,
      'Copy or compress the file again; `gzip -t FILE` tests it.',
    )
  }
}

function tooLarge({ total }: Budget): Unreadable {
  return new Unreadable(
    `with this input the snapshot is larger than ${megabytes(total)} of text`,
    'Take only what is read (kubectl get nodes,servicecidrs,services,endpointslices -A -o json), or raise the limit totalBytes.',
  )
}

export function megabytes(bytes: number): string {
  return bytes < 1024 ** 2 ? `${bytes} bytes` : `${Math.floor(bytes / 1024 ** 2)} MiB`
}
