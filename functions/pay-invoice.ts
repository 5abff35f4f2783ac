import { payInvoiceRequest } from '#billing/domain/invoices.ts'
import { payInvoice } from '#billing/server/invoices/pay-invoice.ts'
import { pagePost } from '#platform/server/http.ts'

/** POST { invoice } with a bearer token → { status, clientSecret }. Charges the customer's card. */
export default pagePost({ name: 'pay-invoice', body: payInvoiceRequest, handle: payInvoice })
