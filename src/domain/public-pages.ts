const personal = /^\/(admin|checkout|forgot-password|login|new-password|onboarding|portal|signup)(\/|$)/

/** Whether a page is the same for everybody, so that it may be fetched ahead and found by search. */
export const isPublicPage = (path: string): boolean => !personal.test(path)
