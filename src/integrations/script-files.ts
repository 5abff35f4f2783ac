/**
 * Which modules share a JavaScript file. By itself the build makes a file of each set of modules that the same entries
 * need: the portal would load 38, half of them below 1 kB. A file costs half a kB of headers and a phone's time. So React
 * is one file and Supabase another, which the browser keeps from page to page; what most pages of the app need is `app`,
 * what several tabs of the portal or of the admin area need is `customer` and `desk`, and each tab is a file of its own.
 *
 * A module takes its imports along unless an earlier group has them, so each group comes after those that it imports.
 * `teaching` has what the bookings' tab loads of the agent's on use, `callers` what several tabs load of the callers' data. `shared` and `basics` are for marketing pages, too.
 * tests/budgets/app-pages.test.ts holds files and bytes.
 */
const groups: Record<string, RegExp> = {
  shared:
    /\/src\/(site|page-scripts\/toaster|features\/marketing\/domain\/faq-search|platform\/(browser\/(loading|conversation)|domain\/text\/duration))\.ts$|preload-helper/,
  basics:
    /\/node_modules\/(clsx|class-variance-authority)\/|\/src\/(platform\/(browser\/(env|navigation|save-as-file|storage\/storage|styles)|domain\/(routes|variants|drawing|text\/(title-key|numbers)))|features\/(account\/browser\/stored-session|plans\/domain\/(plan(s|-choice|-card)|minutes-offer)))\.ts$/,
  session:
    /\/node_modules\/(zod|nanostores\/(atom|lifecycle)|@supabase\/(auth-js|postgrest-js))\/|\/src\/(platform\/(browser\/(functions|toast|permission-errors|supabase|storage\/token-sync)|domain\/(text\/email|failures|toasts))|features\/account\/(browser\/(admin-access|onboarding-record|session|session-store)|domain\/guards))\.ts$/,
  react: /\/node_modules\/(react|react-dom|scheduler|nanostores|@nanostores\/react)\//,
  toaster: /\/src\/platform\/ui\/(mount-toaster|Toaster)\.tsx$/,
  app: /\/src\/(platform\/(ui\/(?!SavedField|TabBar|UnsavedNotice|ActionButton|PlayButton|ConfirmDialog|CopyButton|Folded|hooks\/useTab|onDemand|fields\/(SavedField|TextInput|SelectInput|useKept))|browser\/(?!storage\/(typed-fields|unsaved|save-over))|domain\/(?!text\/(csv|typed-text)|queue|call-path))|features\/(account\/(ui\/(useLogOut|NewPasswordFields)|browser\/passwords\/(?!link-token))|billing\/(browser\/subscriptions?|domain\/(status|subscription)|ui\/(grace|known-subscription|NoSubscription))))/,
  customer:
    /\/src\/(platform\/(ui|browser|domain)\/|features\/((agent|telephony)\/browser\/(agent-settings|call-(settings|fields)|knowledge|my-agent|setting-fields|try-out|website|voice\/voice-sample-files)|agent\/(domain\/(voice\/recording|prompt)|ui\/(useRoundButton|voice\/usePlayback|knowledge\/(BusinessNameField|GreetingField|FormSection)))|calls\/browser\/questions|connections\/domain\/|telephony\/(domain\/voice-line|ui\/(UnsavedCallSettings|LimitPolicyField|useLimitPolicy))|billing\/(ui\/(PlanSummary|WaitingPackages)|browser\/packages)|portal\/(domain\/tabs|browser\/linked-call)))/,
  callers:
    /\/src\/features\/(calls\/(browser\/callers-data|domain\/(caller-traces|retention)|ui\/ForgetCaller)|portal\/ui\/KeepDays)/,
  dashboard:
    /\/src\/features\/(calls\/(browser|ui\/(?!CallDetails|CallMarks|CallRecording))|portal\/ui\/Dashboard)/,
  connections: /\/src\/features\/connections\/(ui|browser)\//,
  bookings: /\/src\/features\/(bookings\/(ui\/(?!setup)|browser)|agent\/ui\/Reach)/,
  teaching:
    /\/src\/features\/(portal\/ui\/(AgentTab|FirstLesson|kept-teaching)|agent\/ui\/knowledge\/(?!ImportPanel))/,
  importing: /\/src\/features\/agent\/(ui\/knowledge\/ImportPanel|domain\/knowledge\/(import|hours-in-text))/,
  files: /\/node_modules\/(@supabase\/storage-js|iceberg-js)\//,
  voice: /\/src\/features\/(agent\/ui\/voice\/(?!RecorderPanel)|portal\/ui\/VoiceTab)/,
  desk: /\/src\/features\/admin\/(browser\/(?!user-account)|domain\/|ui\/(useAddress|lists\/|agents\/AgentDetails|settings\/AuditLineRow|payments\/PaymentEventRow))/,
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
