export { printRuleset } from './print.ts'
export { iptablesRuleset, renderIptables } from './render.ts'
export type { Chain, Ruleset, Table } from './ruleset.ts'
