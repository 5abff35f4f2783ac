import { beforeEach, expect, test, vi } from 'vitest'
import { userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import type { AgentSettingsRow, VoiceSample } from '#agent/domain/agent-settings.ts'
import type { IndustryTemplateId } from '#agent/domain/industry-templates.ts'
import { createOnboarding, finishOnboarding } from '#agent/browser/onboarding.ts'
import { openOnboarding } from '#agent/domain/onboarding.ts'
import { Wizard } from '#agent/ui/onboarding/Wizard.tsx'
import { agentWords } from '#agent/domain/agent-state.ts'
import { forgetWebsite, keptWebsite, readAndKeep } from '#agent/browser/website.ts'
import { noKnowledge } from '#agent/domain/knowledge/knowledge.ts'
import { ImportPanel } from '#agent/ui/knowledge/ImportPanel.tsx'
import { $toast } from '#platform/browser/toast.ts'
import { createVoiceUpload } from '#agent/browser/voice/voice-upload.ts'

const userId = 'a1'

/** Renders the wizard with its real steps and fake clients. `done` lists their calls, in order. */
async function open({
  plan = 'growth',
  sample = null as VoiceSample | null,
  template = null as IndustryTemplateId | null,
  completes = [true],
  uploads = [true] as (boolean | Promise<boolean>)[],
  saves = [] as (boolean | Promise<boolean>)[],
  status = 'active',
} = {}) {
  const done: string[] = []
  const saved: Partial<AgentSettingsRow> = {}
  const steps = createOnboarding(openOnboarding({ userId, plan, sample, template }, 'welcome'), {
    saveTemplate: async (template) => {
      const isSaved = (await saves.shift()) ?? true
      if (isSaved) saved.industry_template = template
      return isSaved
    },
    rememberStep: () => undefined,
    postpone: () => done.push('postponed'),
    raiseToast: (toast) => done.push(`toast: ${toast.title}`),
  })
  /** Finishes as the page does, but opens a fragment of the test's page. */
  const finish = async () => {
    const outcome = await finishOnboarding(userId, {
      keepTimeZone: () => Promise.resolve(),
      complete: () => Promise.resolve(completes.shift() ?? false),
      noteCompleted: () => done.push('noted'),
      forgetStep: () => undefined,
      forgetPostponed: () => undefined,
    })
    if (outcome.goTo === undefined) return outcome
    done.push(`go ${outcome.goTo}`)
    return { goTo: '#portal' }
  }
  const upload = createVoiceUpload({
    userId,
    sample,
    clients: {
      upload: async ({ file, onProgress }) => {
        onProgress(file.size)
        return (await uploads.shift()) ? { ok: true } : { ok: false, reason: 'unreachable' }
      },
      convert: (file) => Promise.resolve({ ok: true, value: file }),
      remove: () => Promise.resolve(true),
      save: (_, columns) => {
        Object.assign(saved, columns)
        return Promise.resolve(true)
      },
      warnBeforeUnload: (isHeld) => done.push(isHeld ? 'held' : 'let go'),
      now: () => 7,
    },
    onChange: steps.changeSample,
    onBusyChange: steps.noteBusySample,
  })
  const screen = await render(
    <Wizard
      steps={steps}
      upload={upload}
      status={status}
      onTest={() => done.push('test')}
      onFinish={finish}
      onLogout={() => done.push('log out')}
    />,
  )
  const heading = (name: string) =>
    expect.element(screen.getByRole('heading', { level: 1, name })).toBeVisible()
  const next = () => screen.getByRole('button', { name: 'Next' }).click()
  return { screen, done, saved, heading, next }
}

const recording = (name: string, head = 'RIFF\x24\x00\x00\x00WAVE') =>
  new File([Uint8Array.from(head, (letter) => letter.charCodeAt(0)), new Uint8Array(2000)], name)

type Screen = Awaited<ReturnType<typeof open>>['screen']
const consent = (screen: Screen) => screen.getByRole('checkbox', { name: /The voice is mine/ })

beforeEach(() => {
  document.title = ''
})

test('a file that is not audio is refused, and a failed upload can be tried again', async () => {
  const { screen, heading, next } = await open({ uploads: [false, true] })
  await next()
  await heading('Upload Your Voice Sample')
  await consent(screen).click()
  await screen.getByLabelText('Choose a file').upload(recording('notes.wav', 'hello'))
  await expect.element(screen.getByText(/does not contain MP3, WAV or FLAC audio/)).toBeVisible()
  await screen.getByLabelText('Choose a file').upload(recording('desk.wav'))
  await expect.element(screen.getByText(/upload was interrupted/)).toBeVisible()
  await screen.getByRole('button', { name: 'Try again' }).click()
  await expect.element(screen.getByText('Uploaded', { exact: true })).toBeVisible()
  await screen.getByRole('button', { name: 'Remove desk.wav' }).click()
  await expect.element(screen.getByText('Uploaded', { exact: true })).not.toBeInTheDocument()
})

test('during an upload no button leaves the step, and the file field keeps the focus', async () => {
  let arrive: (arrived: boolean) => void = () => undefined
  const { screen, done, heading, next } = await open({
    uploads: [new Promise((resolve) => (arrive = resolve))],
  })
  await next()
  await heading('Upload Your Voice Sample')
  await consent(screen).click()
  const field = screen.getByLabelText('Choose a file')
  ;(field.element() as HTMLElement).focus()
  await field.upload(recording('desk.wav'))
  await expect.element(field).toHaveAttribute('aria-disabled', 'true')
  expect(document.activeElement).toBe(field.element())
  const opening = new MouseEvent('click', { bubbles: true, cancelable: true })
  field.element().dispatchEvent(opening)
  expect(opening.defaultPrevented).toBe(true)

  await next()
  await screen.getByRole('link', { name: 'Finish Later' }).click()
  const told = 'toast: Your voice sample is still being updated'
  expect(done).toEqual(['held', told, told])
  await heading('Upload Your Voice Sample')
  arrive(true)
  await expect.element(screen.getByText('Uploaded', { exact: true })).toBeVisible()
  await expect.element(screen.getByLabelText('Replace the file')).toHaveAttribute('aria-disabled', 'false')
  await next()
  await heading('Choose an Industry Template')
})

test('a plan without a voice sample continues without one', async () => {
  const { done, heading, next } = await open({ plan: 'starter' })
  await next()
  await heading('Upload Your Voice Sample')
  await next()
  await heading('Choose an Industry Template')
  expect(done).toEqual([])
})

test('174. the template’s step waits until its template is saved, and stays if that fails', async () => {
  let answer: (isSaved: boolean) => void = () => undefined
  const { screen, done, saved, heading, next } = await open({
    plan: 'starter',
    saves: [new Promise((resolve) => (answer = resolve)), true],
  })
  await next()
  await next()
  await heading('Choose an Industry Template')
  await screen.getByRole('radio', { name: /^Retail ?Shops/ }).click()
  await next()
  const waiting = screen.getByRole('button', { name: 'Saving...' })
  await expect.element(waiting).toBeVisible()
  await waiting.click()
  await heading('Choose an Industry Template')
  answer(false)
  await expect.poll(() => done).toEqual(['toast: Your choice was not saved'])
  await heading('Choose an Industry Template')
  expect(saved).toEqual({})
  await next()
  await heading('Connect Your First Channel')
  expect(saved).toEqual({ industry_template: 'retail' })
})

test('the channel and the test step ask for nothing that is stored', async () => {
  const sample = { path: 'a1/1-desk.wav', name: 'desk.wav', bytes: 10 }
  const { screen, saved, heading, next } = await open({ sample, template: 'retail' })
  for (let step = 0; step < 3; step++) await next()
  await heading('Connect Your First Channel')
  await screen.getByRole('textbox').fill('+44 20 7946 0000')
  await next()
  await heading('Test Your Callbot')
  expect(screen.getByRole('main').getByRole('textbox').elements()).toEqual([])
  await screen.getByRole('button', { name: 'Start AI Conversation' }).click()
  expect(saved).toEqual({})
})

test('every step has Logout, also for the keyboard, and its heading the focus', async () => {
  const sample = { path: 'a1/1-desk.wav', name: 'desk.wav', bytes: 10 }
  const { screen, done, heading, next } = await open({ sample, template: 'retail' })
  const logOut = screen.getByRole('banner').getByRole('button', { name: 'Logout' })
  for (let step = 0; step < 5; step++) {
    await expect.element(logOut).toBeVisible()
    await next()
  }
  await heading('Setup Complete')
  expect(document.activeElement?.textContent).toBe('Setup Complete')
  await expect
    .element(screen.getByRole('progressbar', { name: 'Setup progress' }))
    .toHaveAttribute('value', '6')
  ;(logOut.element() as HTMLElement).focus()
  await userEvent.keyboard('{Enter}')
  expect(done).toEqual(['log out'])
})

test('if the set-up cannot be completed, it stays open and can be tried again', async () => {
  const sample = { path: 'a1/1-desk.wav', name: 'desk.wav', bytes: 10 }
  const { screen, done, heading, next } = await open({ sample, template: 'retail', completes: [false, true] })
  for (let step = 0; step < 5; step++) await next()
  await heading('Setup Complete')
  const finish = screen.getByRole('button', { name: 'Finish', exact: true })
  await finish.click()
  await expect.poll(() => $toast.get()?.toast.title).toBe('Error completing setup')
  expect(done).toEqual([])
  await heading('Setup Complete')
  await finish.click()
  await expect.poll(() => done).toEqual(['noted', 'go /portal?onboarding_complete=true'])
  // The portal is being opened.
  await expect.element(screen.getByRole('button', { name: 'Finishing...' })).toBeDisabled()
  await expect.element(screen.getByRole('button', { name: 'Back' })).toBeDisabled()
  expect($toast.get()).toBeNull()
})

test('what is missing stays at the field until it is chosen, and takes the focus', async () => {
  const { screen, heading, next } = await open({ plan: 'starter' })
  await next()
  await next()
  await heading('Choose an Industry Template')
  await next()
  const problem = screen.getByText('Please select an industry template.')
  await expect.element(problem).toBeVisible()
  await expect
    .element(screen.getByRole('group', { name: 'Industry template', exact: true }))
    .toHaveAccessibleDescription('Please select an industry template.')
  expect(document.activeElement).toBe(screen.getByRole('radio').first().element())
  await screen.getByRole('radio').first().click()
  await expect.element(problem).not.toBeInTheDocument()
})

test('the website is read once its field is left, and its suggestions wait in this browser until they are decided', async () => {
  vi.spyOn(window, 'fetch').mockResolvedValue(
    Response.json({ text: 'Do you have a car park?\nYes, behind the house.' }),
  )
  const { screen, heading, next } = await open({ plan: 'starter' })
  await next()
  await next()
  await heading('Choose an Industry Template')
  await screen.getByLabelText('Your website').fill('harbour.example')
  await userEvent.tab()
  await expect.element(screen.getByText(/^Read\. Your portal suggests/)).toBeVisible()
  await screen.unmount()
  // Another tab has this storage alone.
  sessionStorage.clear()
  const taken = vi.fn()
  const panel = await render(
    <ImportPanel userId={userId} known={{ business: null, knowledge: noKnowledge }} onTakeOver={taken} />,
  )
  await expect.element(panel.getByLabelText('Your website')).toHaveValue('harbour.example')
  await expect.element(panel.getByText('Do you have a car park?')).toBeVisible()
  expect(taken).not.toHaveBeenCalled()
  await panel.getByRole('button', { name: 'Add all' }).click()
  expect(taken).toHaveBeenCalledOnce()
  expect(keptWebsite(userId)).toBeNull()
  vi.restoreAllMocks()
})

test('a website that could not be read in setup is read in the portal', async () => {
  const fetched = vi.spyOn(window, 'fetch').mockRejectedValueOnce(new TypeError('offline'))
  expect(await readAndKeep(userId, 'harbour.example')).toMatchObject({ ok: false })
  fetched.mockResolvedValue(Response.json({ text: 'Do you have a lift?\nYes, to all floors.' }))
  const panel = await render(
    <ImportPanel userId={userId} known={{ business: null, knowledge: noKnowledge }} onTakeOver={vi.fn()} />,
  )
  await expect.element(panel.getByText('Do you have a lift?')).toBeVisible()
  forgetWebsite(userId)
  vi.restoreAllMocks()
})

test('setup says of the agent what the portal says, and nothing of days or of a payment that is made', async () => {
  const chosen = { plan: 'starter', template: 'retail' } as const
  const steps = async (screen: Screen) => {
    for (let step = 1; step < 6; step++) await screen.getByRole('button', { name: 'Next' }).click()
  }
  const { screen } = await open(chosen)
  await steps(screen)
  const { next } = agentWords({ state: 'not_set_up', status: 'active' })
  await expect.element(screen.getByRole('listitem').filter({ hasText: next })).toBeVisible()
  expect(screen.container.textContent).not.toMatch(/business days|is being prepared|is live/)
  await screen.unmount()

  const blocked = await open({ ...chosen, status: 'blocked' })
  await steps(blocked.screen)
  await expect.element(blocked.screen.getByText(/^Your account is blocked/)).toBeVisible()
  expect(blocked.screen.container.textContent).not.toMatch(/paid/)
})

test('a plan without voice cloning is told that the recording is kept, and not that the voice comes from it', async () => {
  const { screen, next } = await open()
  await next()
  await expect
    .element(screen.getByText(/answers in one of our standard voices. We keep your recording/))
    .toBeVisible()
  expect(screen.container.textContent).not.toMatch(/closest|based on/)
})
