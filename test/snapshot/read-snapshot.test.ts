import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { readSnapshot } from '../../src/snapshot/index.ts'

test('others get their turn while a large snapshot is read, and every object is there', async () => {
  const items = Array.from({ length: 9000 }, (_, index) => ({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: `s${index}`, namespace: 'shop' },
    spec: { clusterIP: `10.0.${index >> 8}.${index & 255}`, ports: [{ port: 80 }] },
  }))
  async function* stdin() {
    yield Buffer.from(JSON.stringify({ apiVersion: 'v1', kind: 'List', items }))
  }
  let turns = 0
  let reading = true
  const others = (async () => {
    for (; reading; turns++) await setImmediate()
  })()
  const { snapshot } = await readSnapshot(['-'], { report: () => {}, stdin: stdin() })
  reading = false
  await others
  expect(snapshot.services).toHaveLength(9000)
  expect(turns).toBeGreaterThanOrEqual(4)
})
