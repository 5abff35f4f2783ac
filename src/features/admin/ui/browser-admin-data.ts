import { readContentRows, writeDemo, writeFaq } from '#admin/browser/content.ts'
import { uploadDemoAudio } from '#admin/browser/demo-audio.ts'
import { listUsers, writeUserStatus } from '#admin/browser/users.ts'
import { readSiteBuild } from '#admin/browser/site-build.ts'
import type { AdminDataSettings } from '#admin/browser/admin-data.ts'

/** Connects the admin's data to this browser's storage and to our server. */
export const browserAdminData: Omit<AdminDataSettings, 'build'> = {
  storage: () => localStorage,
  now: () => Date.now(),
  server: {
    readRows: readContentRows,
    readBuild: readSiteBuild,
    listUsers,
    uploadAudio: uploadDemoAudio,
    write: (change) => {
      if (change.collection === 'users') return writeUserStatus(change)
      return change.collection === 'faqs' ? writeFaq(change) : writeDemo(change)
    },
  },
}
