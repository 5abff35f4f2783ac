/**
 * Which modules share a JavaScript file. By itself the build makes a file of each set of modules that the same entries
 * need: the portal would load 38, half of them below 1 kB. A file costs half a kB of headers and a phone's time, so what
 * nearly every island needs is one file, and so is what several pieces of code load on use.
 *
 * A module takes its imports along unless an earlier group has them, so each group comes after those that it imports.
 * The groups before `react` are for marketing pages too, and must not import one of those after it.
 */
const groups: Record<string, RegExp> = {
  shared:
    /\/src\/(site|platform\/(browser\/(loading|conversation)|domain\/text\/duration))\.ts$|preload-helper/,
  basics:
    /\/src\/platform\/(browser\/(navigation|storage\/storage|styles)|domain\/(routes|text\/title-key))\.ts$/,
  variants: /\/node_modules\/(clsx|class-variance-authority)\/|\/src\/platform\/domain\/variants\.ts$/,
  plans:
    /\/src\/(features\/plans\/domain\/(plan(s|-card)|minutes-offer)|platform\/domain\/(drawing|text\/numbers))\.ts$/,
  requests:
    /\/node_modules\/zod\/|\/src\/features\/telephony\/domain\/voice-line\.ts$|\/src\/platform\/(browser\/functions|domain\/(text\/email|failures))\.ts$/,
  toast: /\/node_modules\/nanostores\/atom\/|\/src\/platform\/browser\/toast\.ts$/,
  session:
    /\/node_modules\/(@supabase|nanostores\/lifecycle)\/|\/src\/(platform\/(browser\/(permission-errors|supabase|storage\/token-sync)|domain\/toasts)|features\/account\/(browser\/(admin-access|onboarding-record|session|session-store)|domain\/guards))\.ts$/,
  react: /\/node_modules\/(react|react-dom|scheduler|nanostores|@nanostores\/react)\//,
  form: /\/src\/platform\/(ui\/(drawing|useInBrowser|fields\/(EmailField|Field|FormPage|PasswordField|SubmitButton|useForm))\.tsx?|browser\/(flow|storage\/form-fields)\.ts|domain\/field-problem\.ts)$/,
  billing:
    /\/src\/(features\/billing\/(browser\/subscriptions|domain\/(status|subscription))|platform\/(browser\/report-errors|domain\/text\/dates))\.ts$/,
}

/** The options of the browser build's output. */
export const scriptFiles = {
  /** Without what Astro adds to the name of a component's script. */
  entryFileNames: ({ name }: { name: string }): string => `_astro/${name.split('.')[0]}.[hash].js`,
  codeSplitting: {
    groups: Object.entries(groups).map(([name, test], index, { length }) => ({
      name,
      test,
      priority: length - index,
    })),
  },
}
