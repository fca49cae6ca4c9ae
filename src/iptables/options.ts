/** One word of a rule; a quoted one is never an option. */
interface Word {
  readonly text: string
  readonly quoted: boolean
}

/** An option with its values, such as `! --ctstate NEW,INVALID`. */
export interface Option {
  readonly name: string
  readonly negated: boolean
  readonly values: readonly string[]
}

/** Options whose value may begin with a dash although older versions of iptables-save did not quote it. */
const FREE_TEXT = new Set(['--comment', '--log-prefix', '--nflog-prefix', '--string'])

/** Splits a rule as iptables-restore does: at blanks, but for those in double quotes, in which a backslash takes the next character as it is. */
function wordsOf(rule: string): Word[] {
  const words: Word[] = []
  for (const [, quoted, plain] of rule.matchAll(/"((?:[^"\\]|\\.)*)"|(\S+)/g)) {
    words.push(quoted === undefined ? { text: plain as string, quoted: false } : { text: quoted.replaceAll(/\\(.)/g, '$1'), quoted: true })
  }
  return words
}

/** The options of a rule in their order. A `!` stands before an option or, as older versions print it, between an option and its value. */
export function optionsOf(rule: string): Option[] {
  const options: { name: string; negated: boolean; values: string[] }[] = []
  let negated = false
  for (const { text, quoted } of wordsOf(rule)) {
    const last = options.at(-1)
    const awaited = last !== undefined && last.values.length === 0 && FREE_TEXT.has(last.name)
    if (text === '!' && !quoted) negated = true
    else if (text.startsWith('-') && !quoted && !awaited) {
      options.push({ name: text, negated, values: [] })
      negated = false
    } else if (last !== undefined) {
      if (negated) last.negated = true
      negated = false
      last.values.push(text)
    } else options.push({ name: '', negated, values: [text] })
  }
  return options
}
