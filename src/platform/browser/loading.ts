declare global {
  interface Window {
    /**
     * Shows a toast in the notice that code did not load, because its own code did not
     * (src/page-scripts/loading/notice.ts).
     */
    showNotice: (title?: string, description?: string) => void
  }
}

/**
 * Runs `use` with code that is loaded on use, as in `onUse(import('./file.ts'), use)`. If it did not load, the notice of
 * the page's head has said so, and nothing else happens.
 */
export const onUse = <Module>(
  imported: Promise<Module>,
  use: (module: Module) => unknown,
): Promise<unknown> => imported.then(use, () => {})
