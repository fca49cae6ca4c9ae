/** Everything the command line touches besides files: injected, so that tests run commands in their own process. */
export interface Io {
  readonly stdin: NodeJS.ReadableStream
  readonly stdout: NodeJS.WritableStream & { readonly isTTY?: boolean }
  readonly stderr: NodeJS.WritableStream & { readonly isTTY?: boolean }
  readonly env: Readonly<Record<string, string | undefined>>
}

/** Writes and waits until the stream has taken it. Rejects with the stream's error, EPIPE among them. */
export function write(stream: NodeJS.WritableStream, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(text, error => (error === null || error === undefined ? resolve() : reject(error)))
  })
}

/** `auto`: colour on a terminal unless NO_COLOR is set (no-color.org). */
export function usesColor(when: 'auto' | 'always' | 'never', stream: { readonly isTTY?: boolean }, env: Io['env']): boolean {
  if (when !== 'auto') return when === 'always'
  return stream.isTTY === true && (env['NO_COLOR'] ?? '') === ''
}
