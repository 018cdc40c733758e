function words()
    local lines = {}
    for i = 0, 9999 do lines[#lines + 1] = "  line " .. i .. "  \n" end
    local text = table.concat(lines)
    local trimmed = {}
    for line in (text .. "\n"):gmatch("(.-)\n") do trimmed[#trimmed + 1] = line:match("^%s*(.-)%s*$") end
    return #(table.concat(trimmed, ",") .. ",")
end
