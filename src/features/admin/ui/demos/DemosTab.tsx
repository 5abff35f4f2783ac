import { useState } from 'react'
import type { AudioDemo } from '#admin/domain/content/admin-data.ts'
import { useAdminData } from '#admin/ui/AdminDataProvider.tsx'
import { AddDemo } from './AddDemo.tsx'
import { ConfirmDialog } from '#platform/ui/ConfirmDialog.tsx'
import { DemoRow } from './DemoRow.tsx'
import { PublishedMark } from '#admin/ui/lists/PublishedMark.tsx'
import { useHeading } from '#admin/ui/lists/useHeading.ts'
import { Empty } from '#admin/ui/lists/Empty.tsx'
import { TabHead } from '#admin/ui/lists/TabHead.tsx'
import { button, frame } from '#platform/domain/variants.ts'

/** Lists the recordings that visitors hear, to play, add and delete. */
export function DemosTab() {
  const { data, deleteDemo } = useAdminData()
  const [isAdding, setAdding] = useState(false)
  const [toDelete, setToDelete] = useState<AudioDemo | null>(null)
  const { heading, thenFocus } = useHeading()

  const remove = (demo: AudioDemo): void =>
    thenFocus(() => {
      setToDelete(null)
      deleteDemo(demo.id)
    })

  return (
    <section>
      <div className={frame}>
        <TabHead name="Audio demos" heading={heading} mark={<PublishedMark />}>
          {!isAdding && (
            <button className={button()} type="button" onClick={() => setAdding(true)}>
              Add demo
            </button>
          )}
        </TabHead>
        {isAdding && <AddDemo onClose={() => thenFocus(() => setAdding(false))} />}
        {data.demos.length === 0 ? (
          <Empty title="No demos yet">
            Add a recording, and visitors hear it on the site once you publish.
          </Empty>
        ) : (
          <ul className="[box-shadow:0_1px_var(--color-line)]" aria-label="Audio demos">
            {data.demos.map((demo) => (
              <DemoRow key={demo.id} demo={demo} onDelete={() => setToDelete(demo)} />
            ))}
          </ul>
        )}
      </div>
      {toDelete && (
        <ConfirmDialog
          title="Delete this demo?"
          action="Delete"
          onCancel={() => setToDelete(null)}
          onConfirm={() => remove(toDelete)}
        >
          <p>“{toDelete.title}” leaves the site with the next publication.</p>
        </ConfirmDialog>
      )}
    </section>
  )
}
