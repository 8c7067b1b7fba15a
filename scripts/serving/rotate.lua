-- Requests for wrk: each with the next session and the next path, so that no session exceeds its rate.
--
--   wrk … -s rotate.lua URL -- SESSIONS PATHS
--
-- Both are files with one entry a line; SESSIONS may be empty. Prints one line of JSON when it is done.

local threads = 0

function setup(thread)
   thread:set("number", threads)
   threads = threads + 1
end

local function lines(path)
   local all = {}
   for line in io.lines(path) do all[#all + 1] = line end
   return all
end

function init(args)
   local paths = lines(args[2])
   local headers = {}
   for _, session in ipairs(lines(args[1])) do
      headers[#headers + 1] = { ["Cookie"] = "session=" .. session }
   end
   if #headers == 0 then headers[1] = {} end
   local at = number * 7919
   function request()
      at = at + 1
      return wrk.format("GET", paths[at % #paths + 1], headers[at % #headers + 1])
   end
end

function done(summary, latency)
   local errors = summary.errors
   io.write(string.format(
      '{"requests": %d, "seconds": %f, "p50": %f, "p99": %f, "refused": %d, "broken": %d, "bytes": %d}\n',
      summary.requests, summary.duration / 1e6, latency:percentile(50) / 1e6,
      latency:percentile(99) / 1e6, errors.status,
      errors.connect + errors.read + errors.write + errors.timeout, summary.bytes))
end
