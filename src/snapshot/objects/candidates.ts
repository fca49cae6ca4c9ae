import { shown } from '../validation/sentences.ts'

export type Fields = Readonly<Record<string, unknown>>

/** One object of a document, before anything but its kind is known. */
export interface Candidate {
  readonly kind: string
  /** Empty when the object does not say. */
  readonly apiVersion: string
  readonly fields: Fields
  /** `items[3]` in a list, empty for an object that is the whole document. */
  readonly item: string
}

/** Takes what keeps an object from being read; `item` as in Candidate. */
export type CandidateProblem = (item: string, path: string, summary: string, detail: string) => void

/** Lists in lists in lists do not come from kubectl. */
const MAX_LISTS = 3

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * The objects of a document: itself, or the items of a List or a typed list (ServiceList, …) with the kind of the list when they have none.
 * Also tells `emptyList` of lists without items, which are a snapshot of an empty cluster.
 */
export function* candidatesOf(value: unknown, problem: CandidateProblem, emptyList: (kind: string) => void): Generator<Candidate> {
  yield* from(value, '', undefined, 0)

  function* from(value: unknown, item: string, list: Candidate | undefined, depth: number): Generator<Candidate> {
    // What could not be parsed has been reported.
    if (value === undefined) return
    if (!isFields(value)) {
      problem(
        item,
        '',
        `${shown(value)} is not a Kubernetes object`,
        'Write a map with apiVersion, kind and metadata, as kubectl get … -o yaml prints it.',
      )
      return
    }
    const candidate = identified(value, item, list)
    if (candidate === undefined) return
    if (!isList(candidate)) {
      yield candidate
      return
    }
    const items = value['items'] ?? []
    if (!Array.isArray(items)) problem(item, 'items', `${shown(items)} is not a list`, 'Write the objects as a list under items.')
    else if (depth === MAX_LISTS)
      problem(item, 'items', 'lists are nested too deeply', `A List may stand in a List, ${MAX_LISTS} levels deep.`)
    else {
      if (items.length === 0) emptyList(candidate.kind)
      for (const [index, each] of items.entries()) {
        yield* from(each, item === '' ? `items[${index}]` : `${item}.items[${index}]`, candidate, depth + 1)
      }
    }
  }

  function identified(fields: Fields, item: string, list: Candidate | undefined): Candidate | undefined {
    const { kind, apiVersion = '' } = ofList(fields, list)
    if (typeof kind !== 'string' || kind === '') {
      const isCutOff = kind === undefined && Array.isArray(fields['items'])
      problem(
        item,
        'kind',
        kind === undefined ? 'kind is missing' : `${shown(kind)} is not a kind`,
        isCutOff
          ? 'kubectl prints the kind of a List after its items: the file may be cut off. Take the snapshot again.'
          : 'Write apiVersion and kind, as kubectl get … -o yaml prints them.',
      )
      return undefined
    }
    if (typeof apiVersion !== 'string') {
      problem(item, 'apiVersion', `${shown(apiVersion)} is not an API version`, 'Write a group and version, such as discovery.k8s.io/v1.')
      return undefined
    }
    return { kind, apiVersion, fields, item }
  }
}

/** kind and apiVersion; items of a typed list need none, their list has them. */
function ofList(fields: Fields, list: Candidate | undefined): { readonly kind: unknown; readonly apiVersion: unknown } {
  const kind = fields['kind'] ?? undefined
  const apiVersion = fields['apiVersion'] ?? undefined
  if (kind !== undefined || list === undefined || list.kind === 'List') return { kind, apiVersion }
  return { kind: list.kind.slice(0, -'List'.length), apiVersion: apiVersion ?? list.apiVersion }
}

function isList({ kind, fields }: Candidate): boolean {
  return kind === 'List' || (kind.endsWith('List') && 'items' in fields)
}
