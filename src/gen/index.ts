export { type GeneratedObject, generateCluster } from './cluster.ts'
export { type GenOptions, MIXES, type Mix } from './options.ts'
export { type ListFormat, printList } from './print.ts'
