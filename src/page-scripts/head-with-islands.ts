/** The inline script in the head of a page with islands. */
import './head.ts'
import { guardIslands } from './loading/islands.ts'

guardIslands()
