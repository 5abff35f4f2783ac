import { invoicesRequest } from '#billing/domain/invoices.ts'
import { listInvoices } from '#billing/server/invoices/invoices.ts'
import { pagePost } from '#platform/server/http.ts'

/** POST { after? } with a bearer token → { invoices, more, unpaid, card } of the customer. */
export default pagePost({ name: 'list-invoices', body: invoicesRequest, handle: listInvoices })
