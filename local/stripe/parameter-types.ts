import type { Stripe } from 'stripe'

/**
 * The request parameters of every endpoint of the stand-in, as the `stripe` package types them.
 * `parameters.schema.json` is generated from this interface: run `node local/stripe/generate-parameters.ts` after a
 * change here or a new version of the package.
 */
export interface RequestParameters {
  'POST /v1/customers': Stripe.CustomerCreateParams
  'GET /v1/customers': Stripe.CustomerListParams
  'GET /v1/customers/:id': Stripe.CustomerRetrieveParams
  'POST /v1/customers/:id': Stripe.CustomerUpdateParams
  'DELETE /v1/customers/:id': Stripe.CustomerDeleteParams
  'GET /v1/customers/:id/payment_methods': Stripe.CustomerListPaymentMethodsParams
  'POST /v1/payment_methods': Stripe.PaymentMethodCreateParams
  'GET /v1/payment_methods/:id': Stripe.PaymentMethodRetrieveParams
  'POST /v1/payment_methods/:id/attach': Stripe.PaymentMethodAttachParams
  'POST /v1/payment_methods/:id/detach': Stripe.PaymentMethodDetachParams
  'POST /v1/subscriptions': Stripe.SubscriptionCreateParams
  'GET /v1/subscriptions': Stripe.SubscriptionListParams
  'GET /v1/subscriptions/:id': Stripe.SubscriptionRetrieveParams
  'POST /v1/subscriptions/:id': Stripe.SubscriptionUpdateParams
  'DELETE /v1/subscriptions/:id': Stripe.SubscriptionCancelParams
  'GET /v1/invoices': Stripe.InvoiceListParams
  'GET /v1/invoices/:id': Stripe.InvoiceRetrieveParams
  'GET /v1/invoices/:id/lines': Stripe.InvoiceListLineItemsParams
  'POST /v1/invoices': Stripe.InvoiceCreateParams
  'POST /v1/invoices/:id/finalize': Stripe.InvoiceFinalizeInvoiceParams
  'POST /v1/invoices/:id/mark_uncollectible': Stripe.InvoiceMarkUncollectibleParams
  'POST /v1/invoices/create_preview': Stripe.InvoiceCreatePreviewParams
  'POST /v1/invoices/:id/pay': Stripe.InvoicePayParams
  'POST /v1/invoices/:id/void': Stripe.InvoiceVoidInvoiceParams
  'GET /v1/invoice_payments': Stripe.InvoicePaymentListParams
  'POST /v1/invoiceitems': Stripe.InvoiceItemCreateParams
  'GET /v1/invoiceitems': Stripe.InvoiceItemListParams
  'GET /v1/invoiceitems/:id': Stripe.InvoiceItemRetrieveParams
  'GET /v1/payment_intents/:id': Stripe.PaymentIntentRetrieveParams
  // The stand-in refuses parameters that it does not support. They are by far the most.
  'POST /v1/payment_intents/:id/confirm': Omit<
    Stripe.PaymentIntentConfirmParams,
    'payment_method_data' | 'payment_method_options'
  >
  'GET /v1/charges': Stripe.ChargeListParams
  'GET /v1/charges/:id': Stripe.ChargeRetrieveParams
  'POST /v1/refunds': Stripe.RefundCreateParams
  'GET /v1/disputes': Stripe.DisputeListParams
  'GET /v1/disputes/:id': Stripe.DisputeRetrieveParams
  'GET /v1/radar/early_fraud_warnings/:id': Stripe.Radar.EarlyFraudWarningRetrieveParams
  'POST /v1/products/:id': Stripe.ProductUpdateParams
  'POST /v1/prices': Stripe.PriceCreateParams
  'GET /v1/prices': Stripe.PriceListParams
  'GET /v1/prices/:id': Stripe.PriceRetrieveParams
  'POST /v1/prices/:id': Stripe.PriceUpdateParams
  'POST /v1/billing_portal/sessions': Stripe.BillingPortal.SessionCreateParams
  'POST /v1/billing_portal/configurations': Stripe.BillingPortal.ConfigurationCreateParams
  'GET /v1/billing_portal/configurations': Stripe.BillingPortal.ConfigurationListParams
  'GET /v1/billing_portal/configurations/:id': Stripe.BillingPortal.ConfigurationRetrieveParams
  'POST /v1/billing_portal/configurations/:id': Stripe.BillingPortal.ConfigurationUpdateParams
  'GET /v1/events': Stripe.EventListParams
  'GET /v1/events/:id': Stripe.EventRetrieveParams
}

/** An endpoint such as "POST /v1/customers". */
export type Endpoint = keyof RequestParameters
