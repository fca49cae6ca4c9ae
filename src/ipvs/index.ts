export * from './contents.ts'
export * from './print.ts'
export { type IpvsTexts, ipvsContents, renderIpvs } from './render.ts'
export type { IpvsView } from './service-port.ts'
