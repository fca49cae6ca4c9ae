import type { UpdateName } from './updates.ts'

/** What updates are called in reports for people. */
export const UPDATE_TITLES: Readonly<Record<UpdateName, string>> = {
  endpointReplaced: 'one endpoint replaced',
  endpointAdded: 'one endpoint added',
  serviceAdded: 'a service added',
  serviceRemoved: 'a service removed',
  rollout: 'rollout of 100 endpoints',
  nodeLoss: 'node lost (1 % of endpoints)',
}
