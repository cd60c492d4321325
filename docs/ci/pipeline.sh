#!/bin/sh
# For Jenkins, and wherever a shell runs: copy it into your repository and call it in a step. The variables that the profile
# names come from the secret store of the pipeline; the program is a file in your repository (docs/install.md).
# It ends with the exit code of the verdict. With CLIENT, the command of a client of your own, it gives that one an exam, too.
set -eu
profile=${PROFILE:-conformance/staging.yaml}
parts=${PARTS:-2}
seed=${SEED:-${BUILD_NUMBER:?a whole number for each run, the same for all its parts: set SEED}}

npm install --prefix .gatewright-program --ignore-scripts --no-audit --no-fund "$PWD/conformance/gatewright-0.1.0.tgz"
PATH="$PWD/.gatewright-program/node_modules/.bin:$PATH"
mkdir -p reports

part=1
while [ "$part" -le "$parts" ]; do
  status=0
  gatewright conform --profile "$profile" --level core --fail-on warn --shard "$part/$parts" --seed "$seed" \
    --report "ndjson=reports/part-$part.ndjson" --report "junit=reports/part-$part.xml" || status=$?
  case $status in
    0 | 1 | 3 | 7) ;; # one part of a run is INCOMPLETE by itself: the merge has the last word
    *) exit "$status" ;;
  esac
  part=$((part + 1))
done

verdict=0
gatewright merge reports/part-*.ndjson --report json=report.json --report html=report.html || verdict=$?
if [ -n "${CLIENT:-}" ]; then
  status=0
  gatewright exam --client "$CLIENT" --report junit=reports/exam.xml --report html=exam.html || status=$?
  if [ "$verdict" -eq 0 ]; then verdict=$status; fi
fi
exit "$verdict"
