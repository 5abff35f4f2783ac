/** A file and its imports as one minified script (integrations/code-loading.ts). */
declare module '*?inline-script' {
  const code: string
  export default code
}
