import { useState } from 'react'
import type { AudioDemo } from '#admin/domain/content/admin-data.ts'
import { LooseCord } from '#platform/ui/drawing.tsx'
import { useAdminData } from '#admin/ui/AdminDataProvider.tsx'
import { AddDemo } from './AddDemo.tsx'
import { ConfirmDialog } from '#platform/ui/ConfirmDialog.tsx'
import { DemoRow } from './DemoRow.tsx'
import { PublishedMark } from '#admin/ui/lists/PublishedMark.tsx'
import { useHeading } from '#admin/ui/lists/useHeading.ts'
import { button } from '#platform/domain/variants.ts'

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
      <div className="frame">
        <div className="adm title">
          <div className="marks">
            <h1 className="text-mid" ref={heading} tabIndex={-1}>
              Audio demos
            </h1>
            <PublishedMark />
          </div>
          {!isAdding && (
            <button className={button()} type="button" onClick={() => setAdding(true)}>
              Add demo
            </button>
          )}
        </div>
        {isAdding && (
          <div className="rule">
            <AddDemo onClose={() => thenFocus(() => setAdding(false))} />
          </div>
        )}
        {data.demos.length === 0 ? (
          <div className="rule">
            <div className="empty max-w-none p-pad">
              <LooseCord />
              <div>
                <h3>No demos yet</h3>
                <p className="text-ink-2">
                  Add a recording, and visitors hear it on the site once you publish.
                </p>
              </div>
            </div>
          </div>
        ) : (
          <ul className="entries" aria-label="Audio demos">
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
