import { type Parsed, readYaml } from './yaml.ts'

/** Where one object ends and the next begins when files of JSON are put together, as kubectl and jq indent it. */
const BETWEEN = /(?<=^\})\s*(?=^\{)/m

/** JSON objects, one after another. What JSON.parse does not take goes to the YAML reader, which says where it is wrong. */
export function readJson(text: string): Parsed {
  const whole = parse(text)
  if (whole !== undefined) return { values: [whole] }
  const values: unknown[] = []
  let offset = 0
  for (const piece of text.split(BETWEEN)) {
    const value = parse(piece)
    if (value === undefined) {
      const result = readYaml(piece)
      if ('problem' in result) return { problem: { ...result.problem, offset: offset + result.problem.offset } }
      values.push(...result.values)
    } else values.push(value)
    offset = text.indexOf(piece, offset) + piece.length
  }
  return { values }
}

/** undefined for what is no JSON; JSON itself has no undefined. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}
