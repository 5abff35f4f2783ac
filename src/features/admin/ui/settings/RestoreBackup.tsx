import { restoration } from '#admin/domain/content/backup.ts'
import { readAsDataUrl, readDemoAudio } from '#admin/browser/content/demo-audio.ts'
import { openBackup } from '#admin/browser/content/backups.ts'
import { useAdminData } from '#admin/ui/AdminDataProvider.tsx'
import { ConfirmDialog } from '#platform/ui/ConfirmDialog.tsx'

interface Props {
  name: string
  load: () => Promise<Blob | null>
  /** Receives the result in a sentence; null if the admin cancelled. */
  onEnd: (text: string | null, failed: boolean) => void
}

/** Restores FAQs and demos from a backup by ordinary changes, which are saved, audited and published like any other. */
export function RestoreBackup({ name, load, onEnd }: Props) {
  const { data, restore, placeAudio, deleteFaq, deleteDemo } = useAdminData()

  async function run(): Promise<void> {
    const file = await load()
    const backup = file && (await openBackup(file))
    if (!backup) return onEnd(`${name} could not be read. Nothing was changed.`, true)
    const { faqs, demos } = restoration(data, backup.data)
    for (const faq of faqs.put) restore('faqs', faq)
    for (const id of faqs.remove) deleteFaq(id)
    for (const demo of demos.put) {
      const recording = backup.recordings.get(demo.id)
      const isHeard = (await readDemoAudio(demo.audioUrl)) !== null
      const held = isHeard || !recording ? undefined : await readAsDataUrl(recording)
      const audioUrl = held === undefined ? demo.audioUrl : await placeAudio(held)
      if (audioUrl === undefined)
        return onEnd(
          `“${demo.title}” could not be uploaded. Check your connection, then restore ${name} again.`,
          true,
        )
      restore('demos', { ...demo, audioUrl })
    }
    for (const id of demos.remove) deleteDemo(id)
    const count = faqs.put.length + faqs.remove.length + demos.put.length + demos.remove.length
    onEnd(
      count === 0
        ? `${name} is what is there already. Nothing was changed.`
        : `Restored ${name}: ${count} ${count === 1 ? 'change' : 'changes'}`,
      false,
    )
  }

  return (
    <ConfirmDialog
      title="Restore this backup?"
      action="Restore"
      onCancel={() => onEnd(null, false)}
      onConfirm={() => void run()}
    >
      <p>
        FAQs and demos become what they are in {name}. What was added since is deleted. Accounts and settings
        stay as they are.
      </p>
    </ConfirmDialog>
  )
}
