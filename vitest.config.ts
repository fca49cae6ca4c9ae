import { defineConfig } from 'vitest/config'

// Tests that ask the kernel run hundreds of cases, on machines that may be busy: the limit is there to end what hangs, not to measure.
export default defineConfig({ test: { testTimeout: 300_000, hookTimeout: 120_000, include: ['test/**/*.test.ts'] } })
