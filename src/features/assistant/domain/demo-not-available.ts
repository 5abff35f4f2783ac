import type { Toast } from '#platform/domain/toasts.ts'

/** Specification, section 8. It has a file of its own, because pages say it without the other messages. */
export const demoNotAvailable: Toast = {
  title: 'Demo Not Available',
  description: 'The AI demo callbot is currently unavailable. Please try again later.',
  variant: 'destructive',
}
