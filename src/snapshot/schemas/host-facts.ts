import { ipFamily, list, object, text } from './schema.ts'

/** The JSON of `--host`. */
export const hostFactsSchema = object(
  {
    nodeName: text('dns-subdomain'),
    families: list(ipFamily, { minItems: 1, uniqueItems: true }),
    interfaces: list(object({ name: text('host-interface-name'), addresses: list(text('cidr')) }, ['name', 'addresses'])),
    nfacct: list(text('nfacct-name')),
  },
  ['nodeName', 'families', 'interfaces', 'nfacct'],
)
