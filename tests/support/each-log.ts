import { afterEach, expect } from 'vitest'
import { personalLines } from './personal-log.ts'

// Every test of functions is one of their log too: it holds no personal data (docs/operations.md).
afterEach(() => expect(personalLines(), 'lines of the log that name a person').toEqual([]))
