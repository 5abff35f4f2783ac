/** The same for pages with islands. */
import './index.ts'
import { guardIslands } from './islands.ts'

guardIslands()
