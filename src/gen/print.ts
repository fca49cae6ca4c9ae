import { DEFAULT_SCHEMA, dump } from 'js-yaml'

export type ListFormat = 'yaml' | 'json'

/** Characters that one chunk has at least, so that a stream takes few writes and no string holds the whole cluster. */
const CHUNK = 64 * 1024

/** As kubectl prints: lists at the indentation of their key, no folded lines, no aliases. The default schema quotes what any reader would take for a time. */
const YAML_OPTIONS = {
  schema: DEFAULT_SCHEMA,
  noArrayIndent: true,
  lineWidth: -1,
  noRefs: true,
  skipInvalid: true,
  quotingType: '"',
} as const

/**
 * Objects as `kubectl get -o yaml` or `-o json` prints a List, in chunks. Objects are taken as they are printed, one at a time.
 */
export function* printList(objects: Iterable<object>, format: ListFormat): Generator<string, void, undefined> {
  let chunk = ''
  for (const text of format === 'yaml' ? yamlParts(objects) : jsonParts(objects)) {
    chunk += text
    if (chunk.length < CHUNK) continue
    yield chunk
    chunk = ''
  }
  yield chunk
}

function* yamlParts(objects: Iterable<object>): Generator<string, void, undefined> {
  let first = true
  for (const object of objects) {
    if (first) yield 'apiVersion: v1\nitems:\n'
    first = false
    yield dump([object], YAML_OPTIONS)
  }
  if (first) yield 'apiVersion: v1\nitems: []\n'
  yield 'kind: List\nmetadata:\n  resourceVersion: ""\n'
}

function* jsonParts(objects: Iterable<object>): Generator<string, void, undefined> {
  yield '{\n    "apiVersion": "v1",\n    "items": ['
  let first = true
  for (const object of objects) {
    yield `${first ? '' : ','}\n        ${JSON.stringify(object, undefined, 4).replaceAll('\n', '\n        ')}`
    first = false
  }
  yield `${first ? '' : '\n    '}],\n    "kind": "List",\n    "metadata": {\n        "resourceVersion": ""\n    }\n}\n`
}
