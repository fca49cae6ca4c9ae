import { type Place, printable } from '../../diagnostics.ts'
import { readDocuments } from '../documents/read-documents.ts'
import type { Snapshot } from '../types.ts'
import { shown } from '../validation/sentences.ts'
import type { ObjectProblem } from '../validation/service-rules.ts'
import { type Candidate, candidatesOf, type Fields } from './candidates.ts'
import { embeddedConfigurations } from './configuration.ts'
import { groupAndVersion, isKindName, KINDS, type KindName, type ObjectTypes } from './kinds.ts'
import type { Problems } from './problems.ts'
import { objectName, readObject } from './read-object.ts'

/** A document, shared by all objects that came from it. */
interface Origin {
  readonly file: string
  readonly document: number
}

/** A snapshot, and where each of its objects came from. */
export interface LoadedSnapshot {
  readonly snapshot: Snapshot
  /** Where an object of the snapshot came from (file, document, name); undefined for any other object. */
  readonly placeOf: (object: object) => Place | undefined
}

type Objects = { readonly [K in KindName]: Map<string, ObjectTypes[K]> }

const SERVICE_NAME_LABEL = 'kubernetes.io/service-name'
const KINDS_READ = 'kubenft reads Node, ServiceCIDR, Service, EndpointSlice and KubeProxyConfiguration (also in a ConfigMap)'

/** Some 20 ms of work. */
const OBJECTS_AT_ONCE = 2000

/** Gathers the objects of all inputs; a later one replaces an earlier one of the same kind, namespace and name. */
export class Collector {
  readonly #problems: Problems
  readonly #objects: Objects = {
    Node: new Map(),
    ServiceCIDR: new Map(),
    Service: new Map(),
    EndpointSlice: new Map(),
    KubeProxyConfiguration: new Map(),
  }
  readonly #origins = new WeakMap<object, Origin>()
  /** Kinds that are not read: how many, and where the first was. */
  readonly #others = new Map<string, { count: number; readonly place: Place }>()
  /** Since the start of the input: whether anything of use or anything wrong was in it, and which other kinds. */
  #input = { file: '', useful: false, others: new Set<string>() }

  constructor(problems: Problems) {
    this.#problems = problems
  }

  startInput(file: string): void {
    this.#input = { file, useful: false, others: new Set() }
  }

  /** An input that has nothing of use is a mistake; an empty List is a snapshot of an empty cluster. */
  endInput(): void {
    const { file, useful, others } = this.#input
    if (useful) return
    const summary =
      others.size === 0 ? 'there is no object in it' : `there are only objects of other kinds in it: ${[...others].slice(0, 5).join(', ')}`
    this.#problems.error({ file }, summary, `${KINDS_READ}: kubectl get nodes,servicecidrs,services,endpointslices -A -o yaml.`)
  }

  /** What could not be read at all. */
  unreadable(file: string, summary: string, detail: string): void {
    this.#input.useful = true
    this.#problems.error({ file }, summary, detail)
  }

  /** Takes the objects of a text, and stops now and then for whoever has something else to do. */
  *addText(file: string, text: string): Generator<void> {
    let untilStop = OBJECTS_AT_ONCE
    const broken = (document: number, summary: string, detail: string): void => {
      this.#input.useful = true
      this.#problems.error({ file, document }, summary, detail)
    }
    for (const { number, value } of readDocuments(text, broken)) {
      const origin: Origin = { file, document: number }
      const wrong = (item: string, path: string, summary: string, detail: string): void => {
        this.#input.useful = true
        this.#problems.error(place(origin, item, path), summary, detail)
      }
      const emptyList = (kind: string): void => {
        if (kind === 'List' || isKindName(kind.slice(0, -'List'.length))) this.#input.useful = true
      }
      yield
      for (const candidate of candidatesOf(value, wrong, emptyList)) {
        this.#add(candidate, origin)
        if (--untilStop > 0) continue
        untilStop = OBJECTS_AT_ONCE
        yield
      }
    }
  }

  #add(candidate: Candidate, origin: Origin): void {
    const { kind, apiVersion, fields, item } = candidate
    const [group, version] = groupAndVersion(apiVersion)
    if (kind === 'ConfigMap' && group === '' && this.#addConfigMap(candidate, origin)) return
    if (!isKindName(kind) || (apiVersion !== '' && KINDS[kind].group !== group)) {
      this.#countOther(candidate, origin)
      return
    }
    this.#input.useful = true
    const object = objectName(kind, fields) ?? (item || kind)
    if (apiVersion !== '' && !KINDS[kind].versions.includes(version)) {
      this.#problems.error(
        place(origin, object, 'apiVersion'),
        `${shown(apiVersion)} is not a version that is read`,
        `Take it as ${[group, KINDS[kind].versions[0]].filter(part => part !== '').join('/')}: other versions have other fields.`,
      )
      return
    }
    this.#keep(kind, fields, origin, object, (path, summary, detail) => this.#problems.error(place(origin, object, path), summary, detail))
  }

  #keep(kind: KindName, fields: Fields, origin: Origin, name: string, problem: ObjectProblem): void {
    const object = readObject(kind, fields, problem, this.#problems.full)
    if (object === undefined) return
    const { metadata } = object as { metadata?: { name: string; namespace?: string; labels?: Readonly<Record<string, string>> } }
    const objects = this.#objects[kind] as Map<string, object>
    const key = metadata === undefined ? '' : `${metadata.namespace ?? ''}/${metadata.name}`
    const earlier = objects.get(key)
    if (earlier !== undefined) {
      const { file, document } = this.#origins.get(earlier) as Origin
      this.#problems.warning(
        place(origin, name),
        `replaces the ${metadata === undefined ? kind : name} of ${file}, document ${document}`,
        'The later one counts. Remove one of them if they differ.',
      )
    }
    objects.set(key, object)
    this.#origins.set(object, origin)
    if (kind === 'EndpointSlice' && (metadata?.labels?.[SERVICE_NAME_LABEL] ?? '') === '') {
      this.#problems.warning(
        place(origin, name, 'metadata.labels'),
        `the label ${SERVICE_NAME_LABEL} is missing`,
        'The slice belongs to no Service, so kube-proxy ignores it.',
      )
    }
  }

  /** Whether the ConfigMap holds a KubeProxyConfiguration. */
  #addConfigMap({ fields, item }: Candidate, origin: Origin): boolean {
    const name = objectName('ConfigMap', fields) ?? (item || 'ConfigMap')
    const problem = (path: string, summary: string, detail: string): void => {
      this.#input.useful = true
      this.#problems.error(place(origin, name, path), summary, detail)
    }
    const found = embeddedConfigurations(fields, problem)
    for (const { path, fields: configuration } of found) {
      this.#input.useful = true
      this.#keep('KubeProxyConfiguration', configuration, origin, name, (inner, summary, detail) =>
        problem(`${path}: ${inner}`, summary, detail),
      )
    }
    return found.length > 0
  }

  #countOther({ kind, apiVersion, item, fields }: Candidate, origin: Origin): void {
    const [group] = groupAndVersion(apiVersion)
    const name = printable(group === '' ? kind : `${kind}.${group}`, 80)
    this.#input.others.add(name)
    const other = this.#others.get(name)
    if (other === undefined) this.#others.set(name, { count: 1, place: place(origin, objectName(kind, fields) ?? item) })
    else other.count++
  }

  /** @throws DiagnosticsError when there was any error. */
  finish(): LoadedSnapshot {
    for (const [name, { count, place }] of this.#others) {
      this.#problems.warning(
        place,
        count === 1 ? `${name} is not a kind that is read` : `${count} objects of kind ${name} are not read; this is the first`,
        `${KINDS_READ}. Others change no rule.`,
      )
    }
    this.#problems.finish()
    const { Node, ServiceCIDR, Service, EndpointSlice, KubeProxyConfiguration } = this.#objects
    const [configuration] = KubeProxyConfiguration.values()
    const snapshot: Snapshot = {
      nodes: [...Node.values()],
      serviceCIDRs: [...ServiceCIDR.values()],
      services: [...Service.values()],
      endpointSlices: [...EndpointSlice.values()],
      ...(configuration === undefined ? {} : { configuration }),
    }
    return { snapshot, placeOf: object => this.#placeOf(object) }
  }

  #placeOf(object: object): Place | undefined {
    const origin = this.#origins.get(object)
    if (origin === undefined) return undefined
    const { kind } = object as { readonly kind: KindName }
    return place(origin, objectName(kind, object as Fields) ?? kind)
  }
}

function place({ file, document }: Origin, object: string, path?: string): Place {
  return { file, document, ...(object === '' ? {} : { object }), ...(path === undefined || path === '' ? {} : { path }) }
}
