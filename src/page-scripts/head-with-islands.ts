/** The inline script in the head of a page with islands. */
import { takeLinkToken } from '#account/browser/passwords/link-token.ts'
import './head.ts'

takeLinkToken()
