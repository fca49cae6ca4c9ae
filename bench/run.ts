import { microbenchmarks } from './micro.ts'

microbenchmarks(process.stdout)
