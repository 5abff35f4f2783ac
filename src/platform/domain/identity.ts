/** What mails and pictures take from src/styles/theme.css and src/components/mark.svg, written by `npm run rebrand`. */
export const light = {
  paper: '#f0f0ec',
  panel: '#fafaf8',
  line: '#cfcfc8',
  edge: '#7f7e76',
  ink: '#171714',
  dim: '#54534d',
  signal: '#f5450f',
}
export const dark = {
  paper: '#121210',
  panel: '#1b1b18',
  line: '#34332e',
  edge: '#87857b',
  ink: '#f3f2ed',
  dim: '#b3b1a7',
  signal: '#ff5a26',
}
/** Its shapes have the classes `fs` (the signal's colour) and `fi` (the ink's). */
export const mark = {
  viewBox: '0 0 26 26',
  shapes:
    '<circle class="fs" cx="13" cy="4.2" r="2.7"/><path class="fi" d="M3 19a10 10 0 0 1 20 0zM1 21h24v2.6H1z"/>',
}
