local function filter(items, keeps)
    local kept = {}
    for _, item in ipairs(items) do if keeps(item) then kept[#kept + 1] = item end end
    return kept
end
local function map(items, change)
    local made = {}
    for index, item in ipairs(items) do made[index] = change(item) end
    return made
end
local function reduce(items, merge, result)
    for _, item in ipairs(items) do result = merge(result, item) end
    return result
end
function closures()
    local rows = {}
    for i = 0, 9999 do rows[#rows + 1] = { id = i, value = i * 3 } end
    local even = filter(rows, function(row) return row.id % 2 == 0 end)
    return reduce(map(even, function(row) return row.value end), function(sum, value) return sum + value end, 0)
end
